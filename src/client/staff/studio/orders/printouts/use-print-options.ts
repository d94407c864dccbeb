import { useList } from '#client/staff/kit/list/use-list.ts'

/** Paper sizes. Each has a named page in the style sheet. */
export const paperSizes = [
  { value: 'letter', label: 'Letter' },
  { value: 'a4', label: 'A4' },
] as const
type PaperSize = (typeof paperSizes)[number]['value']

/** Numbers of cards per sheet. */
export const cardsPerSheetOptions = [
  { value: '10', label: '10 on a sheet' },
  { value: '4', label: '4 on a sheet' },
] as const
type CardsPerSheet = (typeof cardsPerSheetOptions)[number]['value']

/** Splits a list into chunks of at most `size` items. */
export const splitIntoChunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

const parseOption = <Value extends string>(
  options: readonly { value: Value }[],
  param: string | undefined,
): Value | undefined => options.find(({ value }) => value === param)?.value

export type PrintOptions = {
  /** Empty for all groups. */
  groupId: string
  paper: PaperSize
  cardsPerSheet: CardsPerSheet
  chooseGroup: (groupId: string) => void
  choosePaper: (paper: string) => void
  chooseCardsPerSheet: (count: string) => void
}

/** Print options, stored in the URL so that a link reproduces them. */
export const usePrintOptions = (): PrintOptions => {
  const { filters, chooseFilter } = useList(['groupId', 'paper', 'onSheet'])
  return {
    groupId: /^\d{1,15}$/.test(filters.groupId ?? '') ? (filters.groupId ?? '') : '',
    paper: parseOption(paperSizes, filters.paper) ?? 'letter',
    cardsPerSheet: parseOption(cardsPerSheetOptions, filters.onSheet) ?? '10',
    chooseGroup: (groupId) => chooseFilter('groupId', groupId || undefined),
    choosePaper: (paper) => chooseFilter('paper', paper === 'letter' ? undefined : paper),
    chooseCardsPerSheet: (count) => chooseFilter('onSheet', count === '10' ? undefined : count),
  }
}
