import { InventoryError } from '../core/errors/inventory-error';

/** Lets only so many do something at a time. */
export class Turns {
  private running = 0;

  /** @param refusal what one more is told */
  constructor(
    private readonly most: number,
    private readonly refusal: string,
  ) {}

  /** Does work if there is room for it. @throws InventoryError 503 if there is none */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.most)
      throw new InventoryError('unavailable', this.refusal, [], { 'retry-after': '10' });
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
    }
  }
}
