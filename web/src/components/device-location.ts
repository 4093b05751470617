/** Where a device is: a region, or a cell of it. */
export interface DeviceLocation {
  readonly region_id: number;
  readonly cell_id: number | null;
}
