import { OptionalText, RequiredText } from '../resources/body-members';

export class CreateProject {
  @RequiredText('fleet', 'Unique in the deployment.')
  name!: string;
}

export class UpdateProject {
  @OptionalText('fleet', 'Unique in the deployment.')
  name?: string;
}
