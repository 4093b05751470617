import { ApiProperty } from '@nestjs/swagger';

/** The form of a time. `format: date-time` would be wrong, because it requires a zone. */
const TIME_FORM = 'UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`.';

interface TimeOptions {
  /** What the time means. */
  readonly description?: string;
  readonly nullable?: true;
  /** `2017-02-16T14:28:55.000000` by default. */
  readonly example?: string | null;
}

/** Documents a time in a response. */
export const TimeProperty = ({
  description,
  example = '2017-02-16T14:28:55.000000',
  nullable,
}: TimeOptions = {}): PropertyDecorator =>
  ApiProperty({
    type: String,
    ...(nullable ? { nullable } : {}),
    example,
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z?$`,
    description: description === undefined ? TIME_FORM : `${description} ${TIME_FORM}`,
  });
