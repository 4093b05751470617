import { CreateBody, PartialBody } from '../resources/members';
import { Cloud } from './cloud.entity';

export class CreateCloud extends CreateBody(Cloud) {}

export class UpdateCloud extends PartialBody(CreateCloud) {}
