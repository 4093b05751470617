import { ApiProperty } from '@nestjs/swagger';
import { collections, MATCH_KINDS, type MatchKind } from './matches';

class PlaceView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;
}

class SearchHitView {
  @ApiProperty({ enum: [...collections.keys()], example: 'host' })
  kind!: string;

  @ApiProperty({
    oneOf: [
      { type: 'integer', format: 'int64' },
      { type: 'string', format: 'uuid' },
    ],
    nullable: true,
    example: 17,
    description: 'A UUID for a project. `null` for the key of a variable.',
  })
  id!: number | string | null;

  @ApiProperty({ example: 'web-1', description: 'The name, the label, the username or the key.' })
  name!: string;

  @ApiProperty({
    type: PlaceView,
    nullable: true,
    description: 'The region of a cell or a device; `null` for other kinds.',
  })
  region!: PlaceView | null;

  @ApiProperty({
    type: PlaceView,
    nullable: true,
    example: null,
    description: 'The cell of a device, if any.',
  })
  cell!: PlaceView | null;

  @ApiProperty({
    enum: MATCH_KINDS,
    example: 'prefix',
    description:
      'How the text matches: the whole member, its beginning, a network that contains the address, the value of a variable, or a part of a name.',
  })
  match!: MatchKind;

  @ApiProperty({ example: 'name', description: 'The member that matches; `variables` for a value.' })
  member!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'The key of the variable, if its value matches.',
  })
  key!: string | null;

  @ApiProperty({ example: 'http://localhost:7780/v1/hosts/17', description: 'The URL of the resource.' })
  href!: string;
}

export class SearchResultView {
  @ApiProperty({ type: [SearchHitView], description: 'The best hits first, at most `limit`.' })
  hits!: SearchHitView[];

  @ApiProperty({
    example: true,
    description:
      'Whether names that contain the text were searched, too. `false` if the database does not have the extension `pg_trgm`, or if the text does not contain three ASCII letters or digits in a row.',
  })
  substrings!: boolean;
}
