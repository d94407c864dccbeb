import type { CartsTables } from './tables/carts.ts'
import type { CatalogueTables } from './tables/catalogue.ts'
import type { OrdersTables } from './tables/orders.ts'
import type { PlatformTables } from './tables/platform.ts'
import type { PlatformCatalogueTables } from './tables/platform-catalogue.ts'
import type { PlatformLogsTables } from './tables/platform-logs.ts'
import type { StaffWorkTables } from './tables/staff-work.ts'
import type { StudioTables } from './tables/studio.ts'
import type { SubjectsImagesTables } from './tables/subjects-images.ts'

/** Every table of the schema `public`, for kysely; `tests/server/migrations` holds it against the real one, column by column. */
export interface Tables
  extends PlatformTables,
    PlatformCatalogueTables,
    PlatformLogsTables,
    StudioTables,
    CatalogueTables,
    SubjectsImagesTables,
    CartsTables,
    OrdersTables,
    StaffWorkTables {}
