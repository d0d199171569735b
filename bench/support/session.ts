import { randomBytes } from 'node:crypto';

export const SERVICE_SECRET = randomBytes(24).toString('hex');

/** The authorization header of a user, for a service that was started with `SERVICE_SECRET`. */
export async function signIn(url: string, user: { email: string; platformId: number }): Promise<string> {
  const response = await fetch(`${url}/api/auth/token-for-email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-secret': SERVICE_SECRET },
    body: JSON.stringify(user),
  });
  const { accessToken } = (await response.json()) as { accessToken: string };
  return `Bearer ${accessToken}`;
}
