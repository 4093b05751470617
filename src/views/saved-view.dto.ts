import { CreateBody, PartialBody } from '../resources/members';
import { SavedView } from './saved-view.entity';

/** The body of requests that save a view. Its schema keeps its name: see `shareComponents`. */
export class CreateSavedView extends CreateBody(SavedView) {}

/** The body of requests that change a view. */
export class UpdateSavedView extends PartialBody(CreateSavedView) {}
