import { Injectable } from '@nestjs/common';

/** Whether this process is about to stop. Then `/readyz` fails, so that load balancers use other instances. */
@Injectable()
export class ShutdownState {
  private announced = false;

  get isAnnounced(): boolean {
    return this.announced;
  }

  announce(): void {
    this.announced = true;
  }
}
