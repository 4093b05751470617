import { applyDecorators, Param, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { READ, Access } from '../auth/access';
import { jsonContent, type ApiSchema } from '../http/api-schemas';
import { ResourceIdPipe } from '../http/resource-id';
import { ApiId } from '../resources/resource-routes';
import { proposalMapping } from './proposal.entity';

/** Injects the id of the proposal in the path. */
export const ProposalId = () => Param('id', new ResourceIdPipe(proposalMapping));

/** Declares and documents a route of one proposal. */
export const ProposalRoute = (operationId: string, summary: string) =>
  applyDecorators(
    // Whether the caller may do what a proposal does is checked when it is reviewed and applied.
    Access(READ),
    ApiOperation({ operationId, summary }),
    ApiId(proposalMapping),
  );

/** Documents a response that is no resource. */
export const ApiOk = (view: Type, description: string, schema: ApiSchema = { $ref: getSchemaPath(view) }) =>
  applyDecorators(
    ApiExtraModels(view),
    ApiResponse({ status: 200, description, content: jsonContent(schema) }),
  );
