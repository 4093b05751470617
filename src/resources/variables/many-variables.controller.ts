import { Inject, Put, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { JsonResponse, outcomeHeaders } from '../../http/response';
import { writeVariables, Access, Ctx } from '../../auth/access';
import type { LargeWrite } from '../../changes/changes.service';
import { PreparedWrite } from '../../writes/prepared-write';
import type { RequestContext } from '../../core/context/request-context';
import { camelCase, ClosedSchema, jsonContent, namedSchema } from '../../http/api-schemas';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { LargeBody } from '../../http/request-body';
import { ValidBody } from '../../http/body-validation';
import { ApiSelection } from '../api-parameters';
import type { ResourceDefinition } from '../resource-definition';
import { appendMembers } from '../../core/json/json-text';
import { withRules } from '../../changes/approval-check';
import { PreviewedImpactView } from '../impact.view';
import {
  RejectedReason,
  type RejectedReasonView,
  RequiredApproval,
  RequiredApprovalView,
} from '../preview.view';
import { Writes } from '../resource-routes';
import { SetVariables, type VariableSetResult, VariableSetsService } from './variable-sets.service';

@ClosedSchema()
class VariableSetOutcomeView implements VariableSetResult {
  @ApiProperty({ type: 'integer', example: 2, description: 'How many resources were selected.' })
  matched!: number;

  @ApiProperty({ type: 'integer', example: 1, description: 'How many resources were changed.' })
  updated!: number;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'How many resources already had these values and were not changed.',
  })
  unchanged!: number;
}

/** The result of a dry run of setting variables on several resources. */
@ClosedSchema()
class VariableSetPreviewView extends VariableSetOutcomeView {
  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Tells a preview from other responses.',
  })
  dry_run!: true;

  @ApiProperty({ type: PreviewedImpactView })
  impact!: PreviewedImpactView;

  @RequiredApproval()
  approval_required?: RequiredApprovalView;

  @RejectedReason()
  reason_rejected?: RejectedReasonView;
}

/** Both bodies are closed: otherwise a preview would be a result, too. */
const setResult = namedSchema('VariableSetResult', {
  oneOf: [{ $ref: getSchemaPath(VariableSetOutcomeView) }, { $ref: getSchemaPath(VariableSetPreviewView) }],
});

function renderSet({ result, preview, ...outcome }: LargeWrite<VariableSetResult>): JsonResponse {
  const members = JSON.stringify(preview ? { dry_run: true, ...result } : result);
  const body = preview
    ? withRules(appendMembers(members, [`"impact":${preview.body}`]), preview.rules)
    : members;
  return JsonResponse.ok(body, outcomeHeaders(outcome));
}

/** The base class of the controllers for `{collection}/variables`, which set variables of many resources. */
export function ManyVariablesController(definition: ResourceDefinition) {
  const { mapping } = definition;

  @ApiTags('variables')
  abstract class ManyVariablesRoutes {
    @Inject() private readonly sets!: VariableSetsService;

    @Put()
    @TakesQuery()
    @Access(writeVariables(mapping.collection))
    @ApiOperation({
      operationId: `${camelCase(mapping.collection)}SetVariables`,
      summary: `Set the same variables on many ${mapping.collection}, in one change`,
    })
    @ApiSelection(definition)
    @Writes()
    @LargeBody()
    @ApiBody({ type: SetVariables })
    @ApiExtraModels(VariableSetOutcomeView, VariableSetPreviewView)
    @ApiResponse({
      status: 200,
      description: 'How many resources were changed; with `dry_run=true`, what the request would change.',
      content: jsonContent(setResult),
    })
    @ApiErrors(400, 401, 403, 404, 405, 415)
    put(
      @Ctx() ctx: RequestContext,
      @Req() request: Request,
      @ValidBody(SetVariables) body: SetVariables,
    ): PreparedWrite {
      return PreparedWrite.large(this.sets.preparePut(ctx, definition, request.query, body), renderSet);
    }
  }
  return ManyVariablesRoutes;
}
