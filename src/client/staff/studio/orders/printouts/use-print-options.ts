import { useList } from '#client/staff/kit/list/use-list.ts'
import { type CardsPerSheet, cardsPerSheetOptions, type PaperSize, paperSizes } from './print-options.ts'

const known = <Value extends string>(all: readonly { value: Value }[], asked: string | undefined): Value | undefined =>
  all.find(({ value }) => value === asked)?.value

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
    paper: known(paperSizes, chosen.paper) ?? 'letter',
    cardsPerSheet: known(cardsPerSheetOptions, chosen.onSheet) ?? '10',
    chooseGroup: (groupId) => choose('groupId', groupId || undefined),
    choosePaper: (paper) => choose('paper', paper === 'letter' ? undefined : paper),
    chooseCardsPerSheet: (onSheet) => choose('onSheet', onSheet === '10' ? undefined : onSheet),
  }
}
