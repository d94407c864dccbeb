import type { Feature } from '#contract/shapes/call.ts'
import type {
  alwaysEditableProductCodes,
  neverCroppedProductCodes,
  printSizes,
  walletProductCodes,
} from '#domain/catalogue/catalogue.ts'
import { digitalProductCodes } from '#domain/catalogue/catalogue.ts'
import { digitalLabelOf } from '#domain/catalogue/downloads.ts'
import { batchShippingLabel, priorityShippingCode } from '#domain/pricing/shipping.ts'
import type { WorkflowStep } from '#domain/studio/workflow.ts'
import type { Transaction } from '../database/database.ts'

/** All features that a studio can have. */
const features = [
  ['studioVerification', 'Studio verification'],
  ['rspoJob', 'Jobs of organizations'],
  ['greenscreens', 'Green screens'],
  ['yearbookPose', 'Yearbook pose'],
  ['digitalDownloads', 'Digital downloads'],
  ['orderServices', 'Order services'],
  ['promotions', 'Promotions'],
  ['workflows', 'Workflows'],
  ['dataImport', 'Data import'],
  ['orderEntry', 'Order entry'],
  ['reports', 'Reports'],
] as const satisfies readonly (readonly [Feature, string])[]

type PrintedCode = (
  | typeof printSizes
  | typeof walletProductCodes
  | typeof neverCroppedProductCodes
  | typeof alwaysEditableProductCodes
)[number]

/**
 * Printed products: name, width and height in inches, cost in cents. Each product code that the catalogue knows has an
 * entry.
 */
const products: Record<PrintedCode, readonly [string, number, number, number]> = {
  '8x10': ['8×10 print', 8, 10, 180],
  '5x7': ['5×7 print', 5, 7, 90],
  '4x6': ['4×6 print', 4, 6, 45],
  '3.5x5': ['3.5×5 print', 3.5, 5, 40],
  '10x13': ['10×13 print', 10, 13, 420],
  BFs: ['8 billfolds', 2.5, 3.5, 110],
  MiniBFs: ['16 mini billfolds', 1.75, 2.5, 110],
  ClassGroup: ['Class or team picture', 10, 8, 190],
  Composite: ['Class composite', 8, 10, 220],
  MemoryMate: ['Memory mate', 8, 10, 260],
  TraderCards: ['8 trader cards', 2.5, 3.5, 240],
}

const schoolSteps: WorkflowStep[] = [
  { name: 'Roster imported', dueDays: -7 },
  { name: 'Picture day', dueDays: 0 },
  { name: 'Pictures published', dueDays: 7 },
  { name: 'Orders sent to the lab', dueDays: 30 },
  { name: 'Prints delivered', dueDays: 40 },
]

const insertProducts = async (tx: Transaction): Promise<void> => {
  const printed = Object.entries(products).map(([code, [name, width, height, cost]]) => ({
    code,
    name,
    width_inches: width,
    height_inches: height,
    cost_cents: cost,
  }))
  const digital = digitalProductCodes.map((code) => ({
    code,
    name: digitalLabelOf(code) ?? code,
    is_digital: true,
    tax_class: 'digital',
  }))
  await tx.insertInto('products').values(printed).execute()
  await tx.insertInto('products').values(digital).execute()
}

const insertShipping = async (tx: Transaction): Promise<void> => {
  await tx
    .insertInto('shipping_options')
    .values([
      {
        code: 'standard',
        label: 'Standard Shipping',
        description: 'To your home in 5 to 8 business days',
        ships_to: 'home',
        price_cents: 695,
        minimum_days: 5,
        maximum_days: 8,
        for_military: false,
        position: 1,
      },
      {
        code: priorityShippingCode,
        label: 'Priority Shipping',
        description: 'To your home in 2 to 3 business days; military addresses take longer',
        ships_to: 'home',
        price_cents: 1295,
        minimum_days: 2,
        maximum_days: 3,
        for_military: true,
        position: 2,
      },
      {
        code: 'studio',
        label: batchShippingLabel,
        description: 'Handed out at school or practice',
        ships_to: 'studio',
        price_cents: 0,
        minimum_days: null,
        maximum_days: null,
        for_military: false,
        position: 3,
      },
    ])
    .execute()
}

/** The services that a job may offer with its orders. */
const insertServices = (tx: Transaction) =>
  tx
    .insertInto('order_services')
    .values([
      {
        kind: 'retouch',
        name: 'Basic retouching',
        description: 'Blemishes softened',
        level: 'basic',
        price_cents: 800,
        position: 1,
      },
      {
        kind: 'retouch',
        name: 'Premium retouching',
        description: 'Blemishes, stray hair, glare on glasses',
        level: 'premium',
        price_cents: 1500,
        position: 2,
      },
      {
        kind: 'personalization',
        name: 'Name and year',
        description: 'Printed along the bottom',
        level: null,
        price_cents: 1000,
        position: 3,
      },
    ])
    .execute()

const insertFields = async (tx: Transaction): Promise<void> => {
  const grades = ['Kindergarten', '1', '2', '3', '4', '5'].map((value, index) => ({ id: index + 1, value }))
  await tx
    .insertInto('defined_fields')
    .values({ name: 'Grade', label: 'Grade', has_options: true, options: JSON.stringify(grades), position: 1 })
    .execute()
  await tx
    .insertInto('defined_fields')
    .values([
      { name: 'Teacher', label: 'Teacher', position: 2 },
      { name: 'Team', label: 'Team', position: 3 },
      { name: 'Jersey Number', label: 'Jersey number', input_type: 'alphanumeric', position: 4 },
    ])
    .execute()
}

/**
 * Inserts the initial catalogue: common print sizes, shipping options, retouching, and the usual fields of schools and
 * clubs. Without it the first studio could not create a package. Administrators can change all of it. It contains no
 * tax rates, because a wrong rate is worse than none.
 */
export const insertInitialCatalogue = async (tx: Transaction): Promise<void> => {
  const rows = features.map(([identifier, name]) => ({ identifier, name }))
  // The migrations insert the features already.
  await tx
    .insertInto('features')
    .values(rows)
    .onConflict((conflict) => conflict.column('identifier').doNothing())
    .execute()
  await insertProducts(tx)
  await insertShipping(tx)
  await insertServices(tx)
  await insertFields(tx)
  await tx
    .insertInto('workflows')
    .values({ name: 'School pictures', steps: JSON.stringify(schoolSteps) })
    .execute()
}
