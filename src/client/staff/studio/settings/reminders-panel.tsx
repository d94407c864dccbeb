import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudioForm } from '#client/staff/kit/form/use-studio-form.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { formatEarnedOrders, pluralize } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { getReminderResults, type ReminderResults, type Studio } from '#contract/studio/studio.ts'
import type { ReminderPreferences } from '#domain/reminders/reminder-kinds.ts'
import { earningDays } from '#domain/shared/earned-periods.ts'

const labels: Readonly<Record<keyof ReminderPreferences, string>> = {
  'order-by': 'Before the last day to order',
  'images-online': 'When photos of a prepaid event are online',
  cart: 'About a cart that was left: a day later, and before orders close',
}

const RemindersForm = ({ studio }: { studio: Studio }) => {
  const edit = useStudioForm<ReminderPreferences>({
    formName: 'reminders',
    studio,
    toValues: ({ reminderPreferences }) => reminderPreferences,
    toPatch: (reminderPreferences) => ({ reminderPreferences }),
    rules: {},
  })
  return (
    <EditForm edit={edit} labels={labels} saveText="Save reminders">
      <CheckField name="order-by" label={labels['order-by']} />
      <CheckField name="images-online" label={labels['images-online']} />
      <CheckField name="cart" label={labels.cart} />
    </EditForm>
  )
}

const resultsText = ({ sentCount, ...orders }: ReminderResults): string => {
  if (sentCount === 0) return 'No reminders were sent in the last 12 months.'
  return `In the last 12 months: ${pluralize(sentCount, 'reminder')} sent, and ${formatEarnedOrders(orders)} placed from the same cart within ${earningDays} days.`
}

/** Which reminders customers can opt in to, and what the reminders earned. */
export const RemindersPanel = ({ studio }: { studio: Studio }) => {
  const query = useStaffQuery(getReminderResults, { params: { studioId: studio.id } })
  return (
    <Panel
      title="Reminders"
      lead="Emails that parents ask for in their cart. What is off is not offered, and not sent."
    >
      <RemindersForm studio={studio} />
      <QueryBoundary query={query}>{(results) => <p>{resultsText(results)}</p>}</QueryBoundary>
    </Panel>
  )
}
