import { earlierAttempt, mayHaveBeenDone } from '../api/idempotency';
import { isInaccessibleProject, isStatus } from '../api/errors';
import type { PlainRequest } from '../api/request';
import { Notice } from './notice';

/** What is known of earlier attempts at a write whose response did not arrive. */
interface LostResponse {
  /** Whether this write may have been done. Sent again, it is done once, and its response arrives. */
  readonly isLost: boolean;
  /** Whether another one at the same path may have been done, which would explain why this one is rejected. */
  readonly isOtherLost: boolean;
}

/** The preview of a write that is done already: the resource exists, has a newer version, or is deleted. */
const isDone = (error: unknown): boolean =>
  [404, 409, 412].some((status) => isStatus(error, status)) && !isInaccessibleProject(error);

/**
 * Whether the response to a write was lost.
 * @param request undefined until it is prepared
 * @param sendError of the last attempt
 * @param previewError of the dry run, which knows of no attempt
 */
export function lostResponse(
  request: PlainRequest | undefined,
  sendError: unknown,
  previewError: unknown,
): LostResponse {
  const earlier = request && earlierAttempt(request);
  return {
    isLost: mayHaveBeenDone(sendError) || (earlier === 'same' && isDone(previewError)),
    isOtherLost: earlier === 'other' && isDone(sendError ?? previewError),
  };
}

interface Props extends LostResponse {
  /** The text of the button that sends the write. */
  readonly verb: string;
  readonly hasSecret: boolean;
}

/** Says that a write may have been done, and how to find out. */
export function LostResponseNotice({ isLost, isOtherLost, verb, hasSecret }: Props) {
  if (isLost)
    return (
      <Notice kind="warning" title="The response of the service did not arrive">
        It may have been written already. Press “{verb}” again: it is written only once.
        {hasSecret && ' The API key is shown then.'}
      </Notice>
    );
  if (!isOtherLost) return null;
  return (
    <Notice kind="warning" title="An earlier attempt may have been written">
      Its response did not arrive, and it had other content. Enter the same again, and apply it: it is written
      once.
      {hasSecret && ' If you do not, its API key is lost: create another one on the page of the user.'}
    </Notice>
  );
}
