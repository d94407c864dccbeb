import { useState } from 'react'
import { useLocation } from 'wouter'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import { patchOrderImageChoice, patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { focusField } from '../customiser/missing-fields.tsx'
import { isFirstChoice, missingImageFields, type OrderImageChoice, toImageChoiceUpdate } from './image-choice.ts'
import type { ImageChoiceDraft } from './image-choice-draft.ts'
import { ImageChoiceLine } from './image-choice-line.tsx'
import {
  missingPersonalizationField,
  type PersonalizationChange,
  type PersonalizationLine,
  PersonalizationTexts,
  toPersonalizationUpdate,
} from './personalization-texts.tsx'
import { type ChangedLine, useImageChoiceChanges } from './use-image-choice-changes.ts'

type ImageChoiceFormProps = {
  route: OrderRoute
  imageChoice: OrderImageChoice
  draft: ImageChoiceDraft | null
  /** Reloads the order: another device changed it. */
  onConflict: () => void
}

const labelsFor = (imageChoice: OrderImageChoice) =>
  isFirstChoice(imageChoice)
    ? {
        save: 'Save photos',
        done: 'Your photos are chosen',
        offline: 'You’re offline. What you chose is saved on this phone.',
      }
    : {
        save: 'Save the changes',
        done: 'Your order is changed',
        offline: 'You’re offline. What you changed is saved on this phone.',
      }

const conflictMessage =
  'Another device changed this in the meantime. Your changes are still here: check them and save again'

type Changes = {
  lines: readonly ChangedLine[]
  printedWords: readonly PersonalizationLine[]
  textChanges: ReadonlyMap<number, PersonalizationChange>
}

/** The id of the first field that is missing or unprintable. */
const firstMissingField = ({ lines, printedWords, textChanges }: Changes): string | undefined => {
  const [problem] = lines.flatMap(({ orderLine, part }, index) => missingImageFields(orderLine, part, index))
  return (
    problem?.fieldId ??
    printedWords.flatMap((line) => missingPersonalizationField(line, textChanges.get(line.id)) ?? [])[0]
  )
}

/** Sends the changes one after another. Returns the first failure; null once the server has accepted all. */
const sendChanges = async (
  { jobId, orderNumber }: OrderRoute,
  { lines, printedWords, textChanges }: Changes,
): Promise<CallFailure | null> => {
  const params = { jobId, orderId: orderNumber }
  for (const { orderLine, part } of lines) {
    const body = toImageChoiceUpdate(orderLine, part)
    const response =
      body && (await callApi(patchOrderImageChoice, { params: { ...params, lineId: orderLine.id }, body }))
    if (response && !response.ok) return response
  }
  for (const line of printedWords) {
    const change = textChanges.get(line.id)
    const body = change && toPersonalizationUpdate(line, change)
    const response = body && (await callApi(patchPrintedTexts, { params: { ...params, lineId: line.id }, body }))
    if (response && !response.ok) return response
  }
  return null
}

/**
 * Corrects images and texts of paid packages, one by one, and submits them together. Changes are stored on this device
 * as they are made.
 */
export const ImageChoiceForm = ({ route, imageChoice, draft: savedDraft, onConflict }: ImageChoiceFormProps) => {
  const { jobId, orderNumber } = route
  const [labels] = useState(() => labelsFor(imageChoice))
  const { lines, textChanges, isChanged, changePart, changeText, dropDraft } = useImageChoiceChanges(
    route,
    imageChoice,
    savedDraft,
  )
  const [showErrors, setShowErrors] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const [, navigate] = useLocation()
  const { printedWords = [] } = imageChoice
  const changes = { lines, printedWords, textChanges }

  const showFailure = ({ status, errors }: CallFailure) => {
    if (status === 409) onConflict()
    toastError(status === 'unreachable' ? [labels.offline] : status === 409 ? [conflictMessage] : errors)
    setIsSaving(false)
  }
  const save = async () => {
    setShowErrors(true)
    const fieldId = firstMissingField(changes)
    if (fieldId) return focusField(fieldId)
    setIsSaving(true)
    const failure = await sendChanges(route, changes)
    if (failure) return showFailure(failure)
    await dropDraft()
    notifyCacheUpdate(null)
    toast(labels.done)
    navigate(urls.order(route))
  }
  return (
    <>
      {lines.map((changedLine, index) => (
        <ImageChoiceLine
          key={changedLine.orderLine.id}
          {...{ jobId, position: index, showErrors }}
          orderLine={changedLine.orderLine}
          part={changedLine.part}
          onPart={changePart(changedLine)}
        />
      ))}
      {printedWords.map((line) => (
        <PersonalizationTexts
          key={line.id}
          line={line}
          change={textChanges.get(line.id)}
          onChange={(change) => changeText(line.id, change)}
        />
      ))}
      <BottomBar label={`Order ${orderNumber}${isChanged ? ' · Saved on this phone' : ''}`}>
        <Button loading={isSaving} onClick={() => void save()}>
          {labels.save}
        </Button>
      </BottomBar>
    </>
  )
}
