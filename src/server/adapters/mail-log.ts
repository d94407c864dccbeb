import type { Mail } from '../ports/mail.ts'
import { type MailRecorder, recordMail } from './mail-record.ts'

/** Mail that is kept where administrators can read it, and goes no further. */
export const mailLog = (recorder: MailRecorder): Mail => ({
  send: async (message) => {
    await recordMail(recorder, message, 'kept')
  },
})
