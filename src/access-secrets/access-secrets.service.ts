import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { ChangeSet } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Precondition } from '../http/preconditions';
import type { QueryParameters } from '../core/parameters';
import { Database } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import { SECRET_BOX, type SecretBox } from '../core/secret-box';
import { scopeOfResource } from '../database/resource-scope';
import { appendMembers } from '../core/json/json-text';
import { singleMembers } from '../resources/resource-definition';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { parseSingleQuery } from '../resources/single-query';
import {
  AccessSecret,
  accessSecrets,
  accessSecretMapping,
  openCert,
  sealCert,
  type CertOwner,
  type SealedCert,
} from './access-secret.entity';
import type { CreateAccessSecret, UpdateAccessSecret } from './access-secret.dto';

/** Access secrets. Their content is encrypted before it is stored, and is not part of change records. */
@Injectable()
export class AccessSecretsService {
  constructor(
    private readonly reader: ResourceReader,
    private readonly database: Database,
    @Inject(SECRET_BOX) private readonly box: SecretBox,
  ) {}

  prepareCreate(ctx: RequestContext, { cert }: CreateAccessSecret): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const owner = { project_id: ctx.projectId, uuid: randomUUID() };
      const values = { ...owner, ...sealCert(this.box, cert, owner) };
      const id = await change.insert(accessSecretMapping, AccessSecret, values);
      return this.reader.showWritten(ctx, accessSecrets, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError 404, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    { cert }: UpdateAccessSecret,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const secret = await change.lock(accessSecretMapping, id, precondition);
      const owner = JSON.parse(secret.members) as CertOwner;
      const sealed = cert === undefined ? {} : sealCert(this.box, cert, owner);
      await change.update(secret, AccessSecret, sealed);
      return this.reader.showWritten(ctx, accessSecrets, id, change.tx);
    };
    return { run };
  }

  /**
   * Shows a secret with its content. A point-in-time read has no content, because records do not contain it.
   * @throws InventoryError 404, 503 if this deployment does not have the key
   */
  async show(ctx: RequestContext, id: number, query: QueryParameters): Promise<RenderedResource> {
    const { members } = parseSingleQuery(query, {
      'resolved-values': false,
      at: true,
      members: singleMembers(accessSecrets),
    });
    const shown = await this.reader.show(ctx, accessSecrets, id, query);
    if (shown.past || !members.includes('cert')) return shown;
    const reader = this.database.reader(ctx);
    const { project } = await scopeOfResource(ctx, accessSecretMapping, id, reader);
    const [sealed] = await reader.rows<SealedCert & CertOwner & Record<string, unknown>>(sql`
      SELECT project_id, uuid, key_fingerprint, initialisation_vector, authentication_tag, encrypted_cert
      FROM access_secrets WHERE project_id = ${project} AND id = ${id}`);
    // The secret was deleted between the two queries.
    if (!sealed) throw InventoryError.notFound(accessSecretMapping.kind, id);
    const cert = openCert(this.box, sealed);
    return { ...shown, body: appendMembers(shown.body, [`"cert":${JSON.stringify(cert)}`]) };
  }

  /** The number of secrets that cannot be decrypted, because this deployment does not have their key. */
  async countUnreadable(): Promise<number> {
    const [row] = await this.database.rows<{ secrets: number }>(
      sql`SELECT count(*) AS secrets FROM access_secrets WHERE key_fingerprint <> ALL(${arrayParameter(this.box.fingerprints)}::text[])`,
    );
    return row?.secrets ?? 0;
  }

  /** @throws InventoryError 404, 409 naming the devices that use it, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(accessSecretMapping, id, precondition);
  }
}
