import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type DeliveredMail = { to: string[]; raw: string }

type SmtpRejection = { code: number; message: string }

/**
 * A real SMTP server that stores what it receives. `refuse` is the response to a recipient, undefined to accept it; `sender` is the
 * response to a sender; `broken` closes every connection.
 */
export const smtpSink = async () => {
  const delivered: DeliveredMail[] = []
  const behaviour = {
    refuse: (_to: string): SmtpRejection | undefined => undefined,
    sender: undefined as SmtpRejection | undefined,
    broken: false,
  }
  const errorOf = (rejection: SmtpRejection | undefined) =>
    rejection ? Object.assign(new Error(rejection.message), { responseCode: rejection.code }) : null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_session, done) =>
      done(behaviour.broken ? Object.assign(new Error('away'), { responseCode: 421 }) : null),
    onMailFrom: (_from, _session, done) => done(errorOf(behaviour.sender)),
    onRcptTo: ({ address }, _session, done) => done(errorOf(behaviour.refuse(address))),
    onData: (stream, { envelope }, done) => {
      stream.toArray().then((chunks) => {
        delivered.push({ to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo // it listens on a port
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `smtp://127.0.0.1:${port}`, delivered, behaviour, close }
}
