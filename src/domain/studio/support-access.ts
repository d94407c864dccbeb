import { type Rules, required, when } from '../shared/validators.ts'

/** For how many hours an owner can let an administrator of the platform into the studio. */
export const consentHours = [1, 8, 24] as const
export type ConsentHours = (typeof consentHours)[number]

/** For how many hours a written reason lets an administrator into a studio without the consent of an owner. */
export const reasonHours = 1

const minReasonWords = 3

/**
 * `asked`: waits for an owner. `open`: the administrator may use it now. The others are over: refused or withdrawn before it began, ended
 * before its time, or expired.
 */
export const supportAccessStates = ['asked', 'open', 'refused', 'ended', 'expired'] as const
export type SupportAccessState = (typeof supportAccessStates)[number]

export const supportMessages = {
  readOnly: 'Your access to this studio is read-only. Ask its owner to allow changes',
  ownersOnly: 'Only the owners of the studio can do this',
  photosBlurred: 'Your access to this studio does not include images of children. Ask its owner to allow them',
  codesHidden:
    'Your access to this studio does not include access codes, which open the images of children. Ask its owner to allow images',
  fewWords: 'Write at least three words. The owners of the studio read them',
  askedAlready: 'You have asked already. The owners have not answered yet',
  openAlready: 'You have access to this studio already',
  over: 'This access is over',
  unknownAdministrator: 'This administrator does not work for the platform any more',
} as const

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length

export const supportReasonRules: Rules<{ reason: string }> = {
  reason: [
    required(),
    when(
      ({ reason }) => reason.trim() !== '',
      (value) => (countWords(String(value)) < minReasonWords ? supportMessages.fewWords : null),
    ),
  ],
}
