import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ADMIN, READ_USERS } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import { VariableController } from '../resources/variables/variable.controller';
import { VariablesController } from '../resources/variables/variables.controller';
import { User, users, UserView, UserWithKeyView } from './user.entity';
import { CreateUser, UpdateUser } from './user.dto';
import { UsersService } from './users.service';

const owner = { definition: users, entity: User, reads: READ_USERS };

@ApiTags('users')
@Controller('v1/users')
export class UsersController extends ResourceController({
  definition: users,
  view: UserView,
  createdView: UserWithKeyView,
  create: CreateUser,
  update: UpdateUser,
  reads: READ_USERS,
  writes: ADMIN,
  secretIn: 'created',
}) {
  constructor(protected readonly resources: UsersService) {
    super();
  }
}

@Controller('v1/users/:id/variables')
export class UserVariablesController extends VariablesController(owner) {}

@Controller('v1/users/:id/variables/:key')
export class UserVariableController extends VariableController(owner) {}
