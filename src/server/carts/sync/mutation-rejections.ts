import { problems } from '#contract/shapes/problems.ts'
import { type CartProblem, cartProblemMessage } from '#domain/cart/cart-rules.ts'
import { fixedTextMessage } from '#domain/cart/fixed-texts.ts'
import { type ClosedReason, closedReasonMessages } from '#domain/catalogue/job-availability.ts'
import { unprintableLettersMessage } from '#domain/printing/printable-letters.ts'
import { backgroundGoneMessage, imageChoiceMessages } from '../store/image-choice-rules.ts'
import type { Rejection } from './command.ts'

const createRejection = <Name extends string>(problem: Name, message: string): Rejection => ({ problem, message })

/** The message for a mutation that this build cannot read. */
export const otherVersionMessage = 'This change was made by another version of this app. Reload the page and try again'

/** Rejections by checks that only the server can make, in addition to those of the cart rules. */
export const rejections = {
  'kind-unknown': createRejection('bad-request', otherVersionMessage),
  'package-gone': createRejection('package-gone', 'This package is no longer offered'),
  'grant-needed': createRejection('grant-needed', 'Please choose and confirm this child first'),
  'picture-gone': createRejection('picture-gone', imageChoiceMessages['picture-gone']),
  'picture-fixed': createRejection('picture-fixed', imageChoiceMessages['picture-fixed']),
  'picture-of-group': createRejection('picture-of-group', imageChoiceMessages['picture-of-group']),
  'text-fixed': createRejection('text-fixed', fixedTextMessage),
  'crop-refused': createRejection('crop-refused', imageChoiceMessages['crop-refused']),
  'crop-outside': createRejection('crop-outside', imageChoiceMessages['crop-outside']),
  'background-gone': createRejection('background-gone', backgroundGoneMessage),
  'key-reused': createRejection('key-reused', problems['key-reused'].message),
  'person-listed': createRejection(
    'person-listed',
    'The studio has a list for this event. Please find this child in it',
  ),
  'people-full': createRejection('people-full', 'Too many people were typed in here. Order for these first'),
  'name-missing': createRejection('name-missing', 'Type the first and the last name'),
  'pose-closed': createRejection('pose-closed', 'The yearbook photo can no longer be chosen here'),
  ordered: createRejection('cart-closed', cartProblemMessage('cart-closed', 'ordered')),
  paying: createRejection('cart-closed', cartProblemMessage('cart-closed', 'frozen')),
} as const satisfies Record<string, Rejection>

/** The rejection of a change to a cart whose order method has closed (section 5). */
export const closedRejection = (reason: ClosedReason): Rejection =>
  createRejection(reason, closedReasonMessages[reason])

export const unprintableLettersRejection = (letters: readonly string[]): Rejection =>
  createRejection('letters-lacking', unprintableLettersMessage(letters))

export const ruleRejection = (problem: CartProblem, state: 'open' | 'frozen' | 'ordered'): Rejection =>
  createRejection(problem, cartProblemMessage(problem, state))
