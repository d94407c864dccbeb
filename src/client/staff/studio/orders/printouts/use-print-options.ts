import { useList } from '#client/staff/kit/list/use-list.ts'
import { type CardsPerSheet, cardsPerSheetOptions, type PaperSize, paperSizes } from './print-options.ts'

const optionValue = <Value extends string>(
  all: readonly { value: Value }[],
  param: string | undefined,
): Value | undefined => all.find(({ value }) => value === param)?.value

export type PrintOptions = {
  /** Empty for all groups. */
  groupId: string
  paper: PaperSize
  cardsPerSheet: CardsPerSheet
  chooseGroup: (groupId: string) => void
  choosePaper: (paper: string) => void
  chooseCardsPerSheet: (onSheet: string) => void
}

/** Print options, stored in the address so that a link reproduces them. */
export const usePrintOptions = (): PrintOptions => {
  const { chosen, choose } = useList(['groupId', 'paper', 'onSheet'])
  return {
    groupId: /^\d{1,15}$/.test(chosen.groupId ?? '') ? (chosen.groupId ?? '') : '',
    paper: optionValue(paperSizes, chosen.paper) ?? 'letter',
    cardsPerSheet: optionValue(cardsPerSheetOptions, chosen.onSheet) ?? '10',
    chooseGroup: (groupId) => choose('groupId', groupId || undefined),
    choosePaper: (paper) => choose('paper', paper === 'letter' ? undefined : paper),
    chooseCardsPerSheet: (onSheet) => choose('onSheet', onSheet === '10' ? undefined : onSheet),
  }
}
