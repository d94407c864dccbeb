import type { BackgroundWorkTables } from './tables/background-work-tables.ts'
import type { CartsTables } from './tables/cart-tables.ts'
import type { CatalogueTables } from './tables/catalogue-tables.ts'
import type { CommissionTables } from './tables/commission-tables.ts'
import type { ImageExportTables } from './tables/image-export-tables.ts'
import type { OrdersTables } from './tables/order-tables.ts'
import type { PayoutsTables } from './tables/payout-tables.ts'
import type { PlatformCatalogueTables } from './tables/platform-catalogue-tables.ts'
import type { PlatformLogsTables } from './tables/platform-log-tables.ts'
import type { PlatformTables } from './tables/platform-tables.ts'
import type { SecondFactorTables } from './tables/second-factor-tables.ts'
import type { StaffWorkTables } from './tables/staff-work-tables.ts'
import type { StudioTables } from './tables/studio-tables.ts'
import type { SubjectsImagesTables } from './tables/subject-image-tables.ts'
import type { WebhookTables } from './tables/webhook-tables.ts'

/**
 * Every table of the schema `public`, for kysely; `tests/server/database/migrations` compares it with the real schema, column by column.
 */
export interface Tables
  extends PlatformTables,
    SecondFactorTables,
    PlatformCatalogueTables,
    PlatformLogsTables,
    StudioTables,
    CatalogueTables,
    SubjectsImagesTables,
    CartsTables,
    OrdersTables,
    PayoutsTables,
    CommissionTables,
    StaffWorkTables,
    ImageExportTables,
    BackgroundWorkTables,
    WebhookTables {}
