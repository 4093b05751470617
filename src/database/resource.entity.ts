import { Column, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** bigint reaches the program as text; ids stay far below 2^53. */
export const bigintNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/**
 * What every stored resource has. Members are named as on the wire and in the table, so that nothing is translated
 * twice. Entities serve writes and stay inside: answers are read through the resource's shape.
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

/** A resource that carries variables: one JSON document in its own row. */
export abstract class VariableOwnerEntity extends ResourceEntity {
  @Column('jsonb', { default: {} })
  variables!: object;
}
