type Reminder = { opens: string; title: string; link: string; createdAt: string }

const formatInstant = (instant: string) => `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`
const escapeText = (text: string) => text.replace(/[\\;,]/g, (character) => `\\${character}`).replace(/\r?\n/g, '\\n')

/** A calendar entry (iCalendar, RFC 5545) for the moment a job opens. Instants are ISO 8601 UTC. */
export const calendarReminder = ({ opens, title, link, createdAt }: Reminder): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Fieldproof//EN',
    'BEGIN:VEVENT',
    `UID:${formatInstant(opens)}-${encodeURIComponent(link)}`,
    `DTSTAMP:${formatInstant(createdAt)}`,
    `DTSTART:${formatInstant(opens)}`,
    'DURATION:PT30M',
    `SUMMARY:${escapeText(`${title}: orders open`)}`,
    `URL:${link}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:PT0M',
    `DESCRIPTION:${escapeText(title)}`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
