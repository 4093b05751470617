import { Note } from '../../resources/body-members';

export class RevertChange {
  @Note()
  note?: string | null;
}
