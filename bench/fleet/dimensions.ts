/** How large a project is made, and what its devices hang below. */
export interface Dimensions {
  readonly devices: number;
  readonly regions: number;
  readonly cells: number;
  readonly labels: number;
  /** Devices that were put up together: in one cell, with neighbouring ids, names and addresses. */
  readonly rack: number;
  /** How many devices hang, at several depths, below one. */
  readonly descendants: number;
}

export const FLEET_SIZES = [10_000, 100_000, 1_000_000] as const;

/** The levels are as many in every fleet: what is compared is how many devices there are. */
export const fleetDimensions = (devices: number): Dimensions => ({
  devices,
  regions: 50,
  cells: 1_000,
  labels: 200,
  rack: 40,
  descendants: Math.min(10_000, devices / 10),
});

/** The project beside the fleet. */
export const SMALL: Dimensions = {
  devices: 100,
  regions: 5,
  cells: 10,
  labels: 10,
  rack: 5,
  descendants: 10,
};

/** Objects of one change record: a fleet is put up in a few large changes. */
export const OBJECTS_A_RECORD = 50_000;
