import { deviceChannel } from '#local/transport/worker-messages.ts'

/** The device's other tabs: a channel does not receive its own messages. */
export const otherTabs = new BroadcastChannel(deviceChannel)
