import { useList } from '#client/staff/kit/list/use-list.ts'
import { type CardsOnSheet, cardSizes, type Paper, papers } from './print-options.ts'

const known = <Value extends string>(all: readonly { value: Value }[], asked: string | undefined): Value | undefined =>
  all.find(({ value }) => value === asked)?.value

export type PaperState = {
  /** Empty for everybody. */
  groupId: string
  paper: Paper
  onSheet: CardsOnSheet
  chooseGroup: (groupId: string) => void
  choosePaper: (paper: string) => void
  chooseSize: (onSheet: string) => void
}

/** What is printed on which paper, kept in the address: a link prints the same again. */
export const usePaper = (): PaperState => {
  const { chosen, choose } = useList(['groupId', 'paper', 'onSheet'])
  return {
    groupId: /^\d{1,15}$/.test(chosen.groupId ?? '') ? (chosen.groupId ?? '') : '',
    paper: known(papers, chosen.paper) ?? 'letter',
    onSheet: known(cardSizes, chosen.onSheet) ?? '10',
    chooseGroup: (groupId) => choose('groupId', groupId || undefined),
    choosePaper: (paper) => choose('paper', paper === 'letter' ? undefined : paper),
    chooseSize: (onSheet) => choose('onSheet', onSheet === '10' ? undefined : onSheet),
  }
}
