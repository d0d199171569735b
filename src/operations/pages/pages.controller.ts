import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access, ApiHtml, sendHtml } from '#libs/http';
import { resetPasswordPage } from './reset-password.page';

@Controller()
export class PagesController {
  /**
   * Show the page that takes a new password
   * @remarks Where links of password resets lead when the platform has no homepage.
   */
  @Get('reset-password')
  @Access.public()
  @ApiHtml('The page.')
  resetPassword(@Res() reply: FastifyReply): Promise<void> {
    return sendHtml(reply, resetPasswordPage());
  }
}
