import { problems } from '#contract/shapes/problems.ts'
import { type CartProblem, cartProblemMessage } from '#domain/cart/cart-rules.ts'
import { type ClosedReason, closedReasonMessages } from '#domain/catalogue/job-availability.ts'
import { backgroundGoneMessage, imageChoiceMessages } from '../store/image-choice-rules.ts'
import { fixedTextMessage, unprintableLettersMessage } from '../store/text-messages.ts'
import type { Rejection } from './command.ts'

const named = <Name extends string>(problem: Name, sentence: string): Rejection => ({ problem, message: sentence })

/** The message for a mutation that this build cannot read. */
export const otherVersionMessage = 'This change was made by another version of this app. Reload the page and try again'

/** The server's own rejections, beyond the cart rules, because only it has the data. */
export const rejections = {
  'kind-unknown': named('bad-request', otherVersionMessage),
  'package-gone': named('package-gone', 'This package is not on offer any more'),
  'grant-needed': named('grant-needed', 'Please choose and confirm this person first'),
  'picture-gone': named('picture-gone', imageChoiceMessages['picture-gone']),
  'picture-fixed': named('picture-fixed', imageChoiceMessages['picture-fixed']),
  'picture-of-group': named('picture-of-group', imageChoiceMessages['picture-of-group']),
  'text-fixed': named('text-fixed', fixedTextMessage),
  'crop-refused': named('crop-refused', imageChoiceMessages['crop-refused']),
  'crop-outside': named('crop-outside', imageChoiceMessages['crop-outside']),
  'background-gone': named('background-gone', backgroundGoneMessage),
  'key-reused': named('key-reused', problems['key-reused'].sentence),
  'person-listed': named(
    'person-listed',
    'The studio has a list of everybody at this event. Please find this person in it',
  ),
  'people-full': named('people-full', 'Too many people were typed in here. Order for these first'),
  'name-missing': named('name-missing', 'Type the first and the last name'),
  'pose-closed': named('pose-closed', 'The yearbook picture can no longer be chosen here'),
  ordered: named('cart-closed', cartProblemMessage('cart-closed', 'ordered')),
  paying: named('cart-closed', cartProblemMessage('cart-closed', 'frozen')),
} as const satisfies Record<string, Rejection>

/** Why a cart whose order method has closed accepts no more changes (section 5). */
export const closedRejection = (reason: ClosedReason): Rejection => named(reason, closedReasonMessages[reason])

export const unprintableLettersRejection = (lacking: readonly string[]): Rejection =>
  named('letters-lacking', unprintableLettersMessage(lacking))

export const ruleRejection = (problem: CartProblem, state: 'open' | 'frozen' | 'ordered'): Rejection =>
  named(problem, cartProblemMessage(problem, state))
