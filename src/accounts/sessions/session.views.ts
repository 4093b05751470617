import { ApiProperty, PickType } from '@nestjs/swagger';
import { parseUuid } from '../../core/parameters';
import { JsonCheck } from '../../http/body-validation';
import { UserView } from '../user.entity';
import { fault, type Fault } from '../../core/error-details';
import { TimeProperty } from '../../http/time-property';

/** How a session can be started. */
export const SIGN_IN_METHODS = ['api-key', 'oidc'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

class OidcClientView {
  @ApiProperty({ example: 'https://login.example.com/realms/fleet' })
  issuer!: string;

  @ApiProperty({ example: 'muster-cli', description: 'The client of programs on the machine of a user.' })
  client_id!: string;

  @ApiProperty({ example: 'openid profile email' })
  scope!: string;
}

/** How users can sign in. */
export class SignInView {
  @ApiProperty({ enum: SIGN_IN_METHODS, isArray: true, example: ['api-key', 'oidc'] })
  methods!: readonly SignInMethod[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Example Login',
    description: 'The name of the OpenID provider; `null` without one.',
  })
  oidc_name!: string | null;

  @ApiProperty({
    type: OidcClientView,
    nullable: true,
    description: 'What a command-line client needs to get access tokens; `null` without an OpenID provider.',
  })
  oidc!: OidcClientView | null;
}

/** Where a user can sign out at the OpenID provider. */
export class SignOutView {
  @ApiProperty({ example: 'https://login.example.com/realms/fleet/logout?client_id=muster' })
  sign_out_url!: string;
}

class SessionUserView extends PickType(UserView, ['id', 'username', 'is_admin', 'is_root', 'roles']) {}

export class SessionProjectView {
  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  id!: string;

  @ApiProperty({ example: 'fleet' })
  name!: string;
}

/** The session of a browser. */
export class SessionView {
  @ApiProperty({ type: SessionUserView })
  user!: SessionUserView;

  @ApiProperty({ type: SessionProjectView, description: 'The project in which all requests are made.' })
  project!: SessionProjectView;

  @ApiProperty({
    type: [SessionProjectView],
    description:
      'The projects that the user can enter, ordered by name. A root user can enter all; the first 1,000 are listed.',
  })
  projects!: readonly SessionProjectView[];

  @ApiProperty({ enum: SIGN_IN_METHODS, example: 'api-key' })
  method!: SignInMethod;

  @TimeProperty({ example: '2026-11-25T08:00:00.000000', description: 'The time of the sign-in.' })
  created_at!: string;

  @TimeProperty({
    example: '2026-11-25T20:00:00.000000',
    description: 'When the session ends at the latest.',
  })
  expires_at!: string;

  @TimeProperty({
    example: '2026-11-25T09:00:00.000000',
    description: 'When the session ends without a further request. Requests postpone it, once a minute.',
  })
  idle_expires_at!: string;
}

function projectFault(value: unknown): Fault | undefined {
  const message = 'must be the UUID of a project';
  if (typeof value !== 'string') return fault('invalid_type', message);
  return parseUuid(value) === undefined ? fault('invalid_format', message) : undefined;
}

export class EnterProject {
  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  @JsonCheck('project', projectFault)
  project_id!: string;
}
