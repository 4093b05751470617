import { LabelledBody } from '../labels/label.dto';
import { CreateBody } from '../resources/members';
import { Device } from './device.entity';

/** The members of create requests for devices of all kinds. */
export class CreateDevice extends CreateBody(Device, LabelledBody, 'optional first') {}

/** The members of update requests for devices of all kinds. */
export type UpdateDevice = Partial<CreateDevice>;
