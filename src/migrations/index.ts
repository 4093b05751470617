import { Inventory1763600000000 } from './1763600000000-inventory';
import { Governance1763700000000 } from './1763700000000-governance';
import { Scale1763800000000 } from './1763800000000-scale';
import { Addresses1763900000000 } from './1763900000000-addresses';
import { Identity1764000000000 } from './1764000000000-identity';
import { UniqueAddresses1764100000000 } from './1764100000000-unique-addresses';
import { RestrictedReaders1764200000000 } from './1764200000000-restricted-readers';
import { DeviceCounts1764300000000 } from './1764300000000-device-counts';
import { Search1764400000000 } from './1764400000000-search';
import { Analyze1764410000000 } from './1764410000000-analyze';
import { Sessions1764500000000 } from './1764500000000-sessions';
import { DeviceLocations1764600000000 } from './1764600000000-device-locations';
import { ValueHashes1764700000000 } from './1764700000000-value-hashes';
import { NestedValues1764800000000 } from './1764800000000-nested-values';
import { TableStatistics1764900000000 } from './1764900000000-table-statistics';
import { Collations1764930000000 } from './1764930000000-collations';

/** All migrations, oldest first. New ones are appended, and released ones are never changed. */
export const migrations = [
  Inventory1763600000000,
  Governance1763700000000,
  Scale1763800000000,
  Addresses1763900000000,
  Identity1764000000000,
  UniqueAddresses1764100000000,
  RestrictedReaders1764200000000,
  DeviceCounts1764300000000,
  Search1764400000000,
  Analyze1764410000000,
  Sessions1764500000000,
  DeviceLocations1764600000000,
  ValueHashes1764700000000,
  NestedValues1764800000000,
  TableStatistics1764900000000,
  Collations1764930000000,
] as const;
