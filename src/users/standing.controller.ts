import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, type DeletedDto, IdPath, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { BanUserDto, RedeemTokenDto } from './dto/ban.dto';
import { UserDto } from './dto/user.dto';
import { StandingService } from './standing.service';

@Controller('api/user')
export class StandingController {
  constructor(private readonly standing: StandingService) {}

  /**
   * Ban a user
   * @remarks A banned member reads as before and writes nothing, until the given time or for good.
   */
  @Post(':id/ban')
  @HttpCode(200)
  @Access.role('admin')
  @ApiAddedOrEdited(UserDto)
  @Refuses({ 404: 'The platform has no user with this id.' })
  ban(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: BanUserDto,
  ): Promise<AddedOrEdited<UserDto>> {
    return this.standing.ban(caller, id, dto);
  }

  /**
   * Lift a ban
   * @remarks The user writes again at once. `id` is the user's.
   */
  @Delete(':id/ban')
  @Access.role('admin')
  @Refuses({ 404: 'The platform has no user with this id, or the user is not banned.' })
  unban(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedDto> {
    return this.standing.unban(caller, id);
  }

  /**
   * Redeem a code for a tier
   * @remarks A code of the platform raises the caller to basic or premium, and never lowers. The answer tells
   * whether anything changed.
   */
  @Post('redeem-token')
  @HttpCode(200)
  @Access.member()
  @ApiAddedOrEdited(UserDto)
  redeem(@CurrentCaller() caller: Caller, @Body() dto: RedeemTokenDto): Promise<AddedOrEdited<UserDto>> {
    return this.standing.redeem(caller, dto);
  }
}
