/** What a package may be taxed as; a place without a rate for it taxes it as standard goods. */
export const taxClasses = ['standard', 'digital'] as const
export type TaxClass = (typeof taxClasses)[number]

/** Where a new package goes in its set. */
export const newPackagePositions = ['first', 'last'] as const

/** What a studio's new packages begin with (section 5); those there are stay as they are. */
export type PackagePreferences = {
  readonly taxClass: TaxClass
  readonly allowConsumerCrop: boolean
  readonly order: (typeof newPackagePositions)[number]
  /** Whether they are offered before the picture day, and in galleries. */
  readonly offeredPrepay: boolean
  readonly offeredGallery: boolean
}

/** Where a studio said nothing. */
export const defaultPackagePreferences: PackagePreferences = {
  taxClass: 'standard',
  allowConsumerCrop: true,
  order: 'last',
  offeredPrepay: true,
  offeredGallery: true,
}
