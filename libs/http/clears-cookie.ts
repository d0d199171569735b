import { Header } from '@nestjs/common';

/** The answer takes a cookie back. */
export const ClearsCookie = (name: string): MethodDecorator =>
  Header('set-cookie', `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`);
