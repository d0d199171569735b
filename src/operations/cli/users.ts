import { NotFoundError } from '#libs/errors';
import { required, validated } from '#libs/http';
import { ResetService } from '../../auth/reset.service';
import { SaveUserDto } from '../../users/dto/save-user.dto';
import type { User } from '../../users/user.entity';
import { UsersService } from '../../users/users.service';
import { type Cli, withServices } from './context';
import { idOf } from './id';

interface NewUserOptions {
  platform: string;
  email: string;
  name: string;
  role: string;
  password?: string;
}

/** Adds a user after the same checks as the API's. */
export async function addUser(cli: Cli, values: object): Promise<User> {
  const dto = await validated(SaveUserDto, values);
  return cli.get(UsersService).add(required(dto, 'email', 'name', 'role', 'PlatformId'));
}

export const createUser = ({ platform, ...values }: NewUserOptions): Promise<{ userId: number }> =>
  withServices(async (cli) => {
    const { id } = await addUser(cli, { ...values, PlatformId: idOf(platform, 'platform') });
    return { userId: id };
  });

interface ResetPasswordOptions {
  platform: string;
  email: string;
  password: string;
}

export const resetPassword = ({
  platform,
  email,
  password,
}: ResetPasswordOptions): Promise<{ userId: number }> =>
  withServices(async (cli) => {
    const users = cli.get(UsersService);
    const user = await users.findByEmail(idOf(platform, 'platform'), email);
    if (!user) throw new NotFoundError('No user with this e-mail on this platform.');
    await cli.get(ResetService).byOperator(user, password);
    return { userId: user.id };
  });
