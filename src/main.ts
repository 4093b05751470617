import { loadPrograms } from './bundle';

/** The entry point of the server. */
void loadPrograms()
  .programs.service()
  .then(({ run }) => {
    run();
  });
