import { captureThrown } from '@afterimage/sdk-core/api'
import { guard } from '@afterimage/sdk-core/guard'
import { componentName } from './component-name.ts'
import type { Component } from './component-name.ts'
import { lifecycleHook } from './lifecycle-hook.ts'

/** An application of Vue 3, as far as it is used. */
interface VueApp {
  readonly config: {
    errorHandler?(error: unknown, instance: Component | null, info: string): void
  }
}

export interface PluginOptions {
  /** Sends the props of the component that failed, which may be personal data. False by default. */
  readonly attachProps?: boolean
}

/**
 * Reports the errors of components, their handlers and watchers: `app.use(afterimagePlugin)`. The
 * error handler that the application has set before is called as well; without one the error goes
 * back to Vue, which logs it.
 */
export const afterimagePlugin = {
  install({ config }: VueApp, { attachProps = false }: PluginOptions = {}): void {
    const own = config.errorHandler
    config.errorHandler = (error, instance, info) => {
      captureThrown(error, {
        mechanism: { type: 'vue.error_handler', handled: own !== undefined },
        context: { contexts: { vue: describe(instance, info, attachProps) } },
      })
      if (own === undefined) throw error
      own(error, instance, info)
    }
  },
}

function describe(
  instance: Component | null,
  info: string,
  hasProps: boolean,
): Record<string, unknown> {
  return {
    componentName: instance === null ? undefined : guard(() => componentName(instance)),
    lifecycleHook: lifecycleHook(info),
    ...(hasProps && { propsData: guard(() => ({ ...instance?.$props })) }),
  }
}
