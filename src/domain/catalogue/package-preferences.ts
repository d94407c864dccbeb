/** The tax classes of packages; a location without a rate for a class taxes it as standard goods. */
export const taxClasses = ['standard', 'digital'] as const
export type TaxClass = (typeof taxClasses)[number]

/** Where a new package is inserted in its set. */
export const newPackagePositions = ['first', 'last'] as const

/** What a studio's new packages start with; existing packages do not change. */
export type PackagePreferences = {
  readonly taxClass: TaxClass
  readonly allowConsumerCrop: boolean
  readonly order: (typeof newPackagePositions)[number]
  /** Whether new packages are offered for prepay and in galleries. */
  readonly offeredPrepay: boolean
  readonly offeredGallery: boolean
}

/** Used if the studio set no preferences. */
export const defaultPackagePreferences: PackagePreferences = {
  taxClass: 'standard',
  allowConsumerCrop: true,
  order: 'last',
  offeredPrepay: true,
  offeredGallery: true,
}
