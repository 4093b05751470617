import { Injectable } from '@nestjs/common';

/** Whether this process is about to stop: then whoever asks whether it is ready is sent to others. */
@Injectable()
export class Ending {
  private announced = false;

  get isAnnounced(): boolean {
    return this.announced;
  }

  announce(): void {
    this.announced = true;
  }
}
