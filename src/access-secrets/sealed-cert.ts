import { raw, type Sql } from '../database/sql';
import type { SecretBox, SealedSecret } from '../core/secret-box';
import type { AccessSecret } from './access-secret';

/** A sealed `cert`, by the columns that hold it. */
export type SealedCert = Omit<SealedSecret, 'content'> & Pick<AccessSecret, 'encrypted_cert'>;

/** The secret whose `cert` it is. Neither changes, and both are the same after a restore. */
export type CertOwner = Pick<AccessSecret, 'project_id' | 'uuid'>;

/**
 * The byte before the authentication tag, in its column: the `cert` is bound to its secret. Without it, the tag alone is
 * there, and the `cert` is bound to its project only: an earlier version of Muster sealed it. Whoever removes the byte does
 * not make it open in another row, because what is authenticated differs.
 */
const BOUND_TO_SECRET = Buffer.from([2]);

/** Whether an earlier version of Muster has sealed the `cert` of a row of `access_secrets`. */
export const isInLegacyFormat: Sql = raw('octet_length(authentication_tag) = 16');

export function sealCert(box: SecretBox, cert: string, owner: CertOwner): SealedCert {
  const { content, authentication_tag, ...sealed } = box.seal(cert, additionalData(owner));
  return {
    ...sealed,
    authentication_tag: Buffer.concat([BOUND_TO_SECRET, authentication_tag]),
    encrypted_cert: content,
  };
}

/**
 * @throws InventoryError 503 if the key is not here
 * @throws Error if the row was damaged, or belongs to another secret
 */
export function openCert(box: SecretBox, row: SealedCert & CertOwner): string {
  const { authentication_tag: tag, encrypted_cert: content } = row;
  const isBound = tag.length === 17 && tag.subarray(0, 1).equals(BOUND_TO_SECRET);
  const authentication_tag = isBound ? tag.subarray(1) : tag;
  return box.open({ ...row, authentication_tag, content }, isBound ? additionalData(row) : row.project_id);
}

const additionalData = ({ project_id, uuid }: CertOwner): string =>
  JSON.stringify(['access secret', project_id, uuid]);
