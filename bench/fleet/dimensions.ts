/** The size of a project and its hierarchy. */
export interface Dimensions {
  readonly devices: number;
  readonly regions: number;
  readonly cells: number;
  readonly labels: number;
  /** The number of devices in a rack: in one cell, with consecutive IDs, names and addresses. */
  readonly rack: number;
  /** The number of descendants of one device, at several depths. */
  readonly descendants: number;
}

export const FLEET_SIZES = [10_000, 100_000, 1_000_000] as const;

/** Every fleet has the same number of levels, and differs only in the number of devices. */
export const fleetDimensions = (devices: number): Dimensions => ({
  devices,
  regions: 50,
  cells: 1_000,
  labels: 200,
  rack: 40,
  descendants: Math.min(10_000, devices / 10),
});

/** The small project in the database of a fleet. */
export const SMALL: Dimensions = {
  devices: 100,
  regions: 5,
  cells: 10,
  labels: 10,
  rack: 5,
  descendants: 10,
};

/** The number of objects in a change record: a fleet is created in a few large changes. */
export const OBJECTS_A_RECORD = 50_000;
