// Plays the native side of React Native on Android, as far as `fetch`, `XMLHttpRequest` and timers call it. Hermes runs this
// before the app, without Babel. The program that started Hermes does the work: it reads calls from stdout and sends events.
(() => {
  const call = (...message) => print(`@${JSON.stringify(message)}`);
  const callbacks = new Map();
  const blobs = new Map();
  let lastId = 0;

  const keep = (callback) => {
    lastId += 1;
    callbacks.set(lastId, callback);
    return lastId;
  };
  const startTimer = (callback, ms, ...args) => {
    const id = keep(() => callback(...args));
    call('startTimer', id, ms || 0);
    return id;
  };

  const modules = {
    Networking: {
      addListener: () => {},
      removeListeners: () => {},
      sendRequest: (method, url, id, headers, body, responseType, isIncremental) =>
        call('sendRequest', id, { method, url, headers, body, responseType, isIncremental }),
      abortRequest: (id) => call('abortRequest', id),
    },
    BlobModule: {
      getConstants: () => ({ BLOB_URI_SCHEME: 'content', BLOB_URI_HOST: null }),
      addNetworkingHandler: () => {},
      createFromParts: (parts, id) => blobs.set(id, parts.map(({ data }) => data).join('')),
      release: (id) => blobs.delete(id),
    },
    FileReaderModule: { readAsText: ({ blobId }) => Promise.resolve(blobs.get(blobId)) },
    NativeMicrotasksCxx: {
      queueMicrotask: (callback) => {
        Promise.resolve().then(callback);
      },
    },
    PlatformConstants: { getConstants: () => ({ reactNativeVersion: { major: 0, minor: 81, patch: 6 } }) },
  };

  globalThis.RN$registerCallableModule = () => {};
  Object.assign(globalThis, {
    RN$Bridgeless: true,
    __turboModuleProxy: (name) => modules[name],
    nativeLoggingHook: (text) => call('log', text),
    setTimeout: startTimer,
    clearTimeout: (id) => callbacks.delete(id),
    phone: {
      /** Returns the SHA-256 of bytes in Base64, like the native module of an app. */
      digest: (base64) => new Promise((resolve) => call('digest', keep(resolve), base64)),
      /** Ends the program. */
      finish: (result) => call('finish', result),
      /** Calls a callback that waits for an answer. */
      resume: (id, value) => {
        const callback = callbacks.get(id);
        callbacks.delete(id);
        if (callback) callback(value);
      },
      keepBlob: (id, text) => blobs.set(id, text),
      emit: (name, event) => globalThis.__rctDeviceEventEmitter.emit(name, event),
    },
  });
})();
