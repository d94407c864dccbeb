import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import { patchOrderImageChoice, patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import type { CallResult } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import type { PackageDraft } from '../customiser/customise-draft.ts'
import type { CustomisedPackage } from '../customiser/customised-package.ts'
import { focusField } from '../customiser/missing-fields.tsx'
import {
  applyPackageDiff,
  imageChoiceSteps,
  isFirstChoice,
  missingImageFields,
  type OrderImageChoice,
  packageDiff,
  toCustomisedPackage,
  toImageChoiceUpdate,
} from './image-choice.ts'
import {
  changesFromDraft,
  type ImageChoiceDraft,
  imageChoiceDraftKey,
  toImageChoiceDraft,
} from './image-choice-draft.ts'
import { ImageChoiceLine } from './image-choice-line.tsx'
import {
  missingPersonalizationField,
  type PersonalizationChange,
  PersonalizationTexts,
  toPersonalizationUpdate,
} from './personalization-texts.tsx'

type ChoosePicturesProps = {
  route: OrderRoute
  poses: OrderImageChoice
  draft: ImageChoiceDraft | null
  /** Reloads the order: another device changed it. */
  onConflict: () => void
}

const sentencesFor = (poses: OrderImageChoice) =>
  isFirstChoice(poses)
    ? {
        save: 'Save the pictures',
        done: 'Your pictures are chosen',
        waits: 'Sending them needs a connection. What you chose is kept on this phone.',
      }
    : {
        save: 'Save the changes',
        done: 'Your order is changed',
        waits: 'Saving needs a connection. What you changed is kept on this phone.',
      }

const overtaken = 'This was changed on another device in between. What you changed is kept: look it over and save again'

/** A copy with one change set; null removes it. */
const withOne = <Change,>(all: ReadonlyMap<number, Change>, id: number, change: Change | null) => {
  const next = new Map(all)
  if (change === null) next.delete(id)
  else next.set(id, change)
  return next
}

/**
 * Corrects images and texts of paid packages, one by one, and submits them together. Changes are stored on this device
 * as they are made.
 */
export const ImageChoiceForm = ({ route, poses, draft: kept, onConflict }: ChoosePicturesProps) => {
  const { jobId, orderNumber } = route
  const draft = useDraft(imageChoiceDraftKey(jobId, orderNumber))
  // The draft as it was when opened: later reads must not bring back a draft that has been submitted.
  const [opened] = useState(poses)
  const [sentences] = useState(() => sentencesFor(poses))
  const [first] = useState(() => changesFromDraft(poses, kept))
  const [changed, setChanged] = useState<ReadonlyMap<number, PackageDraft>>(first.lines)
  const [typed, setTyped] = useState<ReadonlyMap<number, PersonalizationChange>>(first.words)
  const [showErrors, setShowErrors] = useState(false)
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  const lines = useMemo(
    () =>
      poses.lines
        .filter((one) => imageChoiceSteps(one).length > 0)
        .map((one) => ({ one, begun: toCustomisedPackage(one, poses.organizationType) })),
    [poses],
  )
  const chosen = lines.map(({ one, begun: initial }) => ({
    one,
    begun: initial,
    part: applyPackageDiff(initial, changed.get(one.id), one),
  }))
  const { printedWords = [] } = poses
  useEffect(() => {
    if (changed !== first.lines || typed !== first.words)
      draft.save(toImageChoiceDraft(opened, { lines: changed, words: typed }))
  }, [changed, typed, first, draft, opened])

  /** Whether the server accepted the change; otherwise it has shown why not. */
  const isTaken = (response: CallResult<unknown>): boolean => {
    if (response.ok) return true
    if (response.status === 409) onConflict()
    const { status, errors } = response
    toastError(status === 'unreachable' ? [sentences.waits] : status === 409 ? [overtaken] : errors)
    return false
  }
  const send = async (): Promise<boolean> => {
    const params = { jobId, orderId: orderNumber }
    for (const { one, part } of chosen) {
      const body = toImageChoiceUpdate(one, part)
      if (body && !isTaken(await callApi(patchOrderImageChoice, { params: { ...params, lineId: one.id }, body })))
        return false
    }
    for (const one of printedWords) {
      const change = typed.get(one.id)
      const body = change && toPersonalizationUpdate(one, change)
      if (body && !isTaken(await callApi(patchPrintedTexts, { params: { ...params, lineId: one.id }, body })))
        return false
    }
    return true
  }
  const firstGap = (): string | undefined => {
    const [gap] = chosen.flatMap(({ one, part }, at) => missingImageFields(one, part, at))
    return gap?.fieldId ?? printedWords.flatMap((one) => missingPersonalizationField(one, typed.get(one.id)) ?? [])[0]
  }
  const save = async () => {
    setShowErrors(true)
    const gap = firstGap()
    if (gap) return focusField(gap)
    setBusy(true)
    const isSent = await send()
    if (!isSent) return setBusy(false)
    await draft.drop()
    notifyCacheUpdate(null)
    toast(sentences.done)
    navigate(urls.order(route))
  }
  const changePart =
    ({ one, begun: initial, part }: (typeof chosen)[number]) =>
    (change: (before: CustomisedPackage) => CustomisedPackage) =>
      setChanged((all) => {
        const before = all.has(one.id) ? applyPackageDiff(initial, all.get(one.id), one) : part
        return withOne(all, one.id, packageDiff(initial, change(before)))
      })
  return (
    <>
      {chosen.map((each, at) => (
        <ImageChoiceLine
          key={each.one.id}
          {...{ jobId, at, showErrors }}
          one={each.one}
          part={each.part}
          onPart={changePart(each)}
        />
      ))}
      {printedWords.map((one) => (
        <PersonalizationTexts
          key={one.id}
          one={one}
          change={typed.get(one.id)}
          onChange={(change) => setTyped((all) => withOne(all, one.id, change))}
        />
      ))}
      <BottomBar label={`Order ${orderNumber}${changed.size + typed.size > 0 ? ' · Saved on this phone' : ''}`}>
        <Button loading={busy} onClick={() => void save()}>
          {sentences.save}
        </Button>
      </BottomBar>
    </>
  )
}
