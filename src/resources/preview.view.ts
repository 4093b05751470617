import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChangeView } from './change.view';
import { PreviewedImpactView } from './impact.view';

/** What a dry run says of rules that the write meets. */
export class RequiredApprovalView {
  @ApiProperty({
    example:
      'The approval rule 1 (keys ntp_*) requires 1 approval. Propose the write instead: send the same request with ?propose=<title>.',
  })
  message!: string;

  @ApiProperty({
    example: 'approval rule 1 (keys ntp_*) requires 1 approval',
    description: 'The first rule that it meets, in words.',
  })
  description!: string;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'The first rule that it meets: its position in the setting `approvals`, counted from 0.',
  })
  rule!: number;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'How many approvals the rules that it meets require.',
  })
  approvals!: number;
}

export const RequiredApproval = () =>
  ApiPropertyOptional({
    type: RequiredApprovalView,
    description:
      'Set if the write meets a rule of the project (`approvals`): without the dry run, it is rejected with `403`.',
  });

/** What a dry run says of a reason that the project does not accept. */
export class RejectedReasonView {
  @ApiProperty({ enum: ['required', 'invalid_format'] })
  code!: string;

  @ApiProperty({ example: 'changes in this project need a reason that matches ^CHG-[0-9]+' })
  message!: string;
}

export const RejectedReason = () =>
  ApiPropertyOptional({
    type: RejectedReasonView,
    description:
      'Set if the project does not accept the reason (`change_reason`): without the dry run, the write is rejected with `400`.',
  });

/** The change of a dry run. It has no id and no time. */
export class TriedChangeView extends ChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: null })
  id!: null;

  @ApiProperty({ type: String, nullable: true, example: null })
  created_at!: null;
}

/** The response to a dry run. */
export class PreviewView {
  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Tells a preview from other responses.',
  })
  dry_run!: true;

  @ApiProperty({ type: TriedChangeView, description: 'The record that the change would store.' })
  change!: TriedChangeView;

  @ApiProperty({ type: PreviewedImpactView })
  impact!: PreviewedImpactView;

  @RequiredApproval()
  approval_required?: RequiredApprovalView;

  @RejectedReason()
  reason_rejected?: RejectedReasonView;
}
