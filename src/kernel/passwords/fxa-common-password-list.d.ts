declare module 'fxa-common-password-list' {
  /** Whether the password is among the most common ones of eight characters or more. */
  export function test(password: string): boolean;
}
