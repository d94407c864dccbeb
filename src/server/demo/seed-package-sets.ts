import type { PackageAddon } from '#domain/catalogue/catalogue.ts'
import { digitalLabelOf } from '#domain/catalogue/downloads.ts'
import {
  billfolds,
  download,
  eightByTen,
  fiveBySeven,
  groupPrint,
  type ItemDraft,
  memoryMate,
  namedPrint,
  print,
  traderCards,
} from './seed-package-items.ts'

/** A package before the database has assigned its id. */
export type PackageDraft = {
  name: string
  dollars: number
  contents: string
  items: ItemDraft[]
  addon?: Omit<PackageAddon, 'packageId'>
  /** Name of the only standard package that this add-on belongs to. */
  goesWith?: string
  /** Not sold in prepay, because it needs an existing image. */
  galleryOnly?: boolean
  isRecommended?: boolean
}

export type PackageSetDraft = { name: string; description: string; packages: PackageDraft[] }

const year = '2027'
const namedPrintOfYear = (...printArguments: Parameters<typeof print>): ItemDraft => namedPrint(year, ...printArguments)

const anyStandard = { type: 'addon_standard', requiredMinPrice: null, requiresStandard: true } as const
const forOrdersFrom = (dollars: number) =>
  ({ type: 'addon_price', requiredMinPrice: dollars, requiresStandard: true }) as const

const digitalPackages: PackageDraft[] = [
  {
    name: digitalLabelOf('SingleDigDown') ?? 'Single Digital Download',
    dollars: 18,
    contents: 'One photo of your choice, full size',
    items: [download('Digital Picture', 'SingleDigDown')],
    galleryOnly: true,
  },
  {
    name: digitalLabelOf('WholeDigDown') ?? 'Download All Images For Subject',
    dollars: 45,
    contents: 'Every photo of this person, full size',
    items: [download('All Digital Pictures', 'WholeDigDown')],
  },
]

/** The packages of Riverside Portraits for schools: six packages, two add-ons of each kind, downloads. */
export const schoolSet: PackageSetDraft = {
  name: 'School Portraits',
  description: 'Spring and fall picture days',
  packages: [
    {
      name: 'Package A · The Whole Family',
      dollars: 54,
      contents: 'One 8×10 with name and year\nTwo 5×7s\n8 billfolds\nOne digital download',
      items: [
        namedPrintOfYear(...eightByTen),
        print(...fiveBySeven),
        print(...fiveBySeven),
        print(...billfolds),
        download('Digital Picture', 'SingleDigDown'),
      ],
    },
    {
      name: 'Package B · Classic',
      dollars: 38,
      isRecommended: true,
      contents: 'One 8×10 with name and year\nTwo 5×7s\n8 billfolds',
      items: [namedPrintOfYear(...eightByTen), print(...fiveBySeven), print(...fiveBySeven), print(...billfolds)],
    },
    {
      name: 'Package C · Grandparents',
      dollars: 30,
      contents: 'Two 5×7s\n8 billfolds',
      items: [print(...fiveBySeven), print(...fiveBySeven), print(...billfolds)],
    },
    {
      name: 'Package D · Portrait & Class',
      dollars: 32,
      contents: 'One 5×7 with name and year\nOne 8×10 class picture\n8 billfolds',
      items: [namedPrintOfYear(...fiveBySeven), groupPrint('8×10 Class Picture', [10, 8]), print(...billfolds)],
    },
    {
      name: 'Package E · Keepsake',
      dollars: 24,
      contents: 'One 8×10 with name and year',
      items: [namedPrintOfYear(...eightByTen)],
    },
    {
      name: 'Package F · Just Billfolds',
      dollars: 16,
      contents: '8 billfolds',
      items: [print(...billfolds)],
    },
    {
      name: 'Extra 5×7',
      dollars: 8,
      contents: 'One more 5×7 print',
      items: [print(...fiveBySeven)],
      addon: anyStandard,
    },
    {
      name: 'Extra Class Picture',
      dollars: 9,
      contents: 'One more 8×10 class picture',
      items: [groupPrint('8×10 Class Picture', [10, 8])],
      addon: anyStandard,
      goesWith: 'Package D · Portrait & Class',
    },
    {
      name: '16 Mini Billfolds',
      dollars: 5,
      contents: 'A sheet to cut and share',
      items: [print('16 Mini Billfolds', 'MiniBFs', [1.75, 2.5])],
      addon: forOrdersFrom(30),
    },
    {
      name: 'Desk Frame 5×7',
      dollars: 12,
      contents: 'A 5×7 in a walnut frame',
      items: [print('Framed 5×7', '5x7', [5, 7])],
      addon: forOrdersFrom(45),
    },
    ...digitalPackages,
  ],
}

/** The packages of Riverside Portraits for teams. */
export const teamSet: PackageSetDraft = {
  name: 'Team & Player',
  description: 'Leagues and clubs',
  packages: [
    {
      name: 'MVP Package',
      dollars: 48,
      contents: 'One memory mate\nOne 8×10\n8 trader cards\n8 billfolds',
      items: [memoryMate(year), print(...eightByTen), traderCards(), print(...billfolds)],
    },
    {
      name: 'Memory Mate',
      dollars: 26,
      contents: 'Your team and your player on one 8×10',
      items: [memoryMate(year)],
    },
    {
      name: 'Player Package',
      dollars: 28,
      isRecommended: true,
      contents: 'One 8×10\nOne 5×7\n8 billfolds',
      items: [print(...eightByTen), print(...fiveBySeven), print(...billfolds)],
    },
    {
      name: 'Team Picture',
      dollars: 16,
      contents: 'One 8×10 team picture',
      items: [groupPrint('8×10 Team Picture', [10, 8])],
    },
    {
      name: 'Trader Cards',
      dollars: 14,
      contents: '8 cards with name, team and number',
      items: [traderCards()],
      addon: anyStandard,
    },
    {
      name: 'Extra 5×7',
      dollars: 5,
      contents: 'One more 5×7 print',
      items: [print(...fiveBySeven)],
      addon: forOrdersFrom(40),
    },
    ...digitalPackages,
  ],
}

/** The packages of Summit Sports Photo. */
export const leagueSet: PackageSetDraft = {
  name: 'League',
  description: '',
  packages: [
    { name: 'Player 8×10', dollars: 18, contents: 'One 8×10', items: [print(...eightByTen)] },
    {
      name: 'Starter',
      dollars: 25,
      contents: 'One 5×7\n8 billfolds',
      items: [print(...fiveBySeven), print(...billfolds)],
    },
  ],
}
