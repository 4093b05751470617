import { Column, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The driver returns bigint as text. Ids are far below 2^53. */
export const bigintNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/**
 * The columns of every stored resource. Members have the names of the API and of the table. Entities are used for
 * writes only; responses are read through the resource's shape.
 */
export abstract class ResourceEntity {
  @PrimaryColumn('uuid')
  project_id!: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'uuid', insert: false, update: false })
  uuid!: string;

  @Column({ type: 'timestamptz', insert: false, update: false })
  created_at!: Date;

  @Column('timestamptz', { nullable: true })
  updated_at!: Date | null;

  @Column('bigint', { transformer: bigintNumber, default: 1 })
  version!: number;
}

/** A resource with variables, which are one JSON document in its row. */
export abstract class VariableOwnerEntity extends ResourceEntity {
  @Column('jsonb', { default: {} })
  variables!: object;
}
