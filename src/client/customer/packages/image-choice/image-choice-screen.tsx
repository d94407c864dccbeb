import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useSavedDraft } from '#client/customer/shared/drafts/use-saved-draft.ts'
import { OrderNotLoaded } from '#client/customer/shared/errors/lazy-error-screens.ts'
import { withReplacements } from '#contract/customer/discovery-calls.ts'
import { getOrderImageChoice } from '#contract/customer/order-image-choice.ts'
import { orderAtLabMessage } from '#domain/orders/order-at-lab-message.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../customiser/customiser.module.css'
import { OrganizationTypeContext } from '../package-context.ts'
import { SubjectLoading } from '../subject-states.tsx'
import { imageChoiceSteps, isFirstChoice, type OrderImageChoice } from './image-choice.ts'
import { imageChoiceDraftKey, readImageChoiceDraft } from './image-choice-draft.ts'
import { ImageChoiceForm } from './image-choice-form.tsx'

const noImagesMessage = { title: 'No photos to choose from', text: 'Your order shows which are still to come.' }

/** Why nothing can be changed now; null if something can. */
const blockerMessage = (imageChoice: OrderImageChoice): typeof noImagesMessage | null => {
  const { state, why, lines, printedWords = [] } = imageChoice
  if (state === 'closed') return { title: 'This order can’t be changed any more', text: why ?? orderAtLabMessage }
  if (printedWords.length > 0 || lines.some((line) => imageChoiceSteps(line).length > 0)) return null
  return state === 'waiting'
    ? noImagesMessage
    : { title: 'Nothing to change here', text: 'Its packages have nothing to choose.' }
}

/**
 * Images and texts of an order: chosen once the images of a picture day are available, and corrected until the order
 * goes to the lab.
 */
export const ImageChoiceScreen = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const query = useQuery(
    getOrderImageChoice,
    Number.isNaN(jobId) ? null : { params: { jobId, orderId: orderNumber }, query: withReplacements },
  )
  const savedDraft = useSavedDraft(imageChoiceDraftKey(jobId, orderNumber))
  const { problem } = query
  const isUnknown = problem !== undefined && !isFinalFailure(problem)
  const draft = readImageChoiceDraft(savedDraft?.value)
  const data = query.data ?? (isUnknown ? draft?.poses : undefined)
  const orderLink = <ButtonLink href={urls.order(route)}>See the order</ButtonLink>
  if (query.loading || !savedDraft) return <SubjectLoading />
  if (!data) return <OrderNotLoaded {...{ route, problem }} retry={query.refetch} />
  const blocker = blockerMessage(data)
  if (blocker) {
    return (
      <EmptyState level={1} title={blocker.title} action={orderLink}>
        {blocker.text}
      </EmptyState>
    )
  }
  return (
    <OrganizationTypeContext value={data.organizationType}>
      <div className={styles.screen}>
        <header className={styles.head}>
          <ButtonLink href={urls.order(route)} variant="quiet" size="sm" icon={ArrowLeft} className={styles.back}>
            Back
          </ButtonLink>
          <h1>{isFirstChoice(data) ? 'Choose your photos' : 'Change texts and photos'}</h1>
        </header>
        {data.state === 'waiting' && <Notice title={noImagesMessage.title}>{noImagesMessage.text}</Notice>}
        <ImageChoiceForm key={orderNumber} route={route} imageChoice={data} draft={draft} onConflict={query.refetch} />
      </div>
    </OrganizationTypeContext>
  )
}
