import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useEffect, useState } from 'react'
import { ButtonLink } from '#ui/button/button.tsx'
import { calendarReminder } from './calendar-reminder.ts'

type CalendarReminderLinkProps = { opens: string; title: string }

/** The opening time as a calendar file for the phone, which needs no email address. */
export const CalendarReminderLink = ({ opens, title }: CalendarReminderLinkProps) => {
  const [fileUrl, setFileUrl] = useState('')
  useEffect(() => {
    const text = calendarReminder({ opens, title, link: window.location.href, createdAt: new Date().toISOString() })
    const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }))
    setFileUrl(url)
    return () => URL.revokeObjectURL(url)
  }, [opens, title])
  if (fileUrl === '') return null
  return (
    <ButtonLink href={fileUrl} download="order-pictures.ics" icon={CalendarPlus} variant="secondary">
      Add to my calendar
    </ButtonLink>
  )
}
