/**
 * The few cryptographic operations that the domains share, over node:crypto.
 *
 * `Sealer` keeps a value secret at rest (AES-256-GCM under ENCRYPTION_KEY); `sameSecret` compares without
 * telling by its time how much was right; `randomCode` draws digits without bias.
 */
export { Sealer } from './sealer';
export { mac, randomCode, sameSecret } from './secrets';
