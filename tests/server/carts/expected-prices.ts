import type { PackageAddon } from '#domain/catalogue/catalogue.ts'

/** Packages with their prices, some of which are difficult to round, and their kind of add-on. */
export const packagePrices = {
  portrait: [24.99, {}],
  wallet: [0.1, {}],
  cent: [0.01, {}],
  frame: [19.95, {}],
  album: [1234.56, {}],
  third: [33.33, {}],
  gift: [0, {}],
  file: [29, {}],
  magnet: [5.05, { type: 'addon_standard', requiresStandard: true }],
  poster: [12.5, { type: 'addon_price', requiredMinPrice: 40 }],
} as const satisfies Record<string, [number, Partial<PackageAddon>]>
type PackageKey = keyof typeof packagePrices
export type Service = 'basic' | 'premium' | 'box' | 'personal'

/** Adds a quantity of a package, adds a service, or changes the quantity of the step at that index. */
type CartStep = [PackageKey, number] | ['service', Service] | ['change', number, number]

/**
 * Carts and their sums in cents, calculated by hand: packages and services; for some also shipping ($6.95 for one
 * package, $1 for each further one), tax (7.25 % on goods, 5.75 % on shipping) and total. Services: basic $8, premium
 * $15, box $3.25, name and year $10.
 */
export const expectedPrices: [string, CartStep[], number, number, [number, number, number]?][] = [
  ['one package', [['portrait', 1]], 2499, 0, [695, 221, 3415]],
  ['a price that is no exact binary fraction', [['wallet', 3]], 30, 0],
  ['the smallest price', [['cent', 1]], 1, 0, [695, 40, 736]],
  ['the maximum quantity', [['cent', 99]], 99, 0],
  [
    'two lines',
    [
      ['portrait', 2],
      ['frame', 1],
    ],
    6993,
    0,
    [895, 558, 8446],
  ],
  ['an expensive package, seven times', [['album', 7]], 864_192, 0, [1295, 62_728, 928_215]],
  ['a price of thirds, three times', [['third', 3]], 9999, 0],
  ['nothing to pay', [['gift', 5]], 0, 0],
  ['half a cent of tax', [['wallet', 20]], 200, 0, [2595, 164, 2959]],
  ['a file, which is not mailed', [['file', 1]], 2900, 0, [0, 210, 3110]],
  [
    'an add-on',
    [
      ['portrait', 1],
      ['magnet', 4],
    ],
    4519,
    0,
  ],
  ['an add-on without the package that it needs', [['magnet', 1]], 0, 0],
  [
    'an add-on below its minimum',
    [
      ['portrait', 1],
      ['poster', 1],
    ],
    2499,
    0,
  ],
  [
    'an add-on over its minimum',
    [
      ['portrait', 2],
      ['poster', 3],
    ],
    8748,
    0,
  ],
  [
    'an add-on whose cart falls below its minimum',
    [
      ['portrait', 2],
      ['poster', 1],
      ['change', 0, 1],
    ],
    2499,
    0,
  ],
  [
    'services that raise the cart above the minimum of an add-on',
    [
      ['third', 1],
      ['service', 'box'],
      ['service', 'basic'],
      ['poster', 1],
    ],
    4583,
    1125,
  ],
  [
    'services of every kind',
    [
      ['portrait', 1],
      ['service', 'premium'],
      ['service', 'personal'],
    ],
    2499,
    2500,
    [695, 402, 6096],
  ],
  [
    'a service that replaces another',
    [
      ['portrait', 1],
      ['service', 'basic'],
      ['service', 'premium'],
    ],
    2499,
    1500,
  ],
]
