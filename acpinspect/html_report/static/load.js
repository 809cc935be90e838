// The embedded data: plain JSON, or base64 of compressed JSON. Nothing is fetched.

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function canUnpack() {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false;
  }
}

async function unpacked(bytes) {
  if (!canUnpack()) return inflate(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function loadLog() {
  const place = document.getElementById("log");
  if (place.dataset.form === "json") return JSON.parse(place.textContent);
  const bytes = await unpacked(bytesOf(place.textContent));
  place.remove();
  return JSON.parse(new TextDecoder().decode(bytes));
}
